"""Three numbers of the README, and how sure each of them is: cells to run one by one.

They need the mathematics alone, which needs NumPy and SciPy: ``python -m pip install .``
"""

# %% A model is trained in 1,000 steps; each draws a record with probability 0.01 and adds noise of one sensitivity.
from privacy_trade_offs import Gaussian

release = Gaussian(noise_multiplier=1.0, sampling_rate=0.01, steps=1000)
print(release.assumptions[0])

# %% 1. Its epsilon at delta = 1e-5. The guarantee is `upper`; `lower` is what an attack that exists reaches.
epsilon = release.epsilon(delta=1e-5)
assert epsilon.lower <= epsilon.estimate <= epsilon.upper
print(f"epsilon at delta = 1e-5: {epsilon.estimate:.5f}")
print(f"between guarantee and attack: {epsilon.upper - epsilon.lower:.0e}")

# %% 2. How much noise for epsilon = 1? The answer never misses the target: its guarantee keeps it.
from privacy_trade_offs import EpsilonTarget, noise_for  # noqa: E402 - a cell loads what it needs

safer = noise_for(EpsilonTarget(epsilon=1.0, delta=1e-5), release)
assert safer.reached.upper <= 1.0
print(f"{safer.noise_multiplier:.5f}")

# %% 3. A guess about somebody's record that is right 1 in 1,000 times, with the release in hand:
surer = release.reconstruction(prior=0.001)
print(f"a guess right 1 in 1,000 times: right at most 1 in {int(1 / surer.upper)}")

# %% The whole curve: false alarms `alpha`, members missed `beta`. Nothing is interpolated: ask at the alphas you want.
from privacy_trade_offs import alpha_grid  # noqa: E402

curve = release.trade_off(alpha_grid(points=100))
gap = (curve.upper.beta - curve.lower.beta).max()
assert (curve.lower.beta <= curve.upper.beta).all()
print(f"{curve.bound.value}: nowhere are the guarantee and the attack further apart than {gap:.0e}")
