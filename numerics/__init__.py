"""The privacy mathematics: a table of contents.

====================================================  ==================================================
How well can an attacker do against this mechanism?   ``Gaussian(...).trade_off(alpha)``, ``.power(alpha)``
How private is it in (epsilon, delta)?                ``.epsilon(delta)``, ``.delta(epsilon)``
One number for the attacker's success?                ``.advantage()``, ``.auc()``, ``.posterior(alpha, prior)``
How well does one number, mu-GDP, say it?             ``.gaussian_mu()``, ``.gaussian_regret()``
What do zCDP and RDP say of it?                       ``renyi``
How is a release handed on as a file?                 ``release_file``
What release does another accountant state?           ``accountants.release_of``
What does a notebook show of it?                      ``notebook``
Several phases of training?                           ``Composition((Gaussian(...), Gaussian(...)))``
How much noise for a given risk?                      ``calibration.noise_for(target, mechanism)``
How likely is a record reconstructed?                 ``.reconstruction(prior)``, ``reconstruction``
What if a person has several records?                 ``records_per_person``, ``unit_of_privacy``
What do the papers' approximations say?               ``approximations``
How private is this one trained model?                ``epsilon_star``
What if the attacker does not know the record?        ``relaxed``
What if the attacker does not know the sample?        ``membership``
What if only the distribution of the rest is known?   ``gaussian_membership``
Does a real attack reach what the theory says?        ``audits``
Does this implementation keep its promise?            ``audits.one_run``
What if only the final model is seen?                 ``final_model``
How private is noise that later steps cancel?         ``banded_noise``
What does one guarantee say of other numbers?         ``conversions``
What does protection cost a mean or a count?          ``frontier``
What does it cost models that are really trained?     ``training``, and ``pareto`` to choose among strategies
How is a curve certified?                             ``privacy_loss``, and the modules it names
What of the papers, as our copies have it, fails?     ``as_quoted``: to be drawn beside what does, never used
====================================================  ==================================================
"""

from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace
