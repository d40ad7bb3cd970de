"""Membership inference privacy (paper 002): the attacker knows the pool of records, but not which of them were used.

A release is eta-private when no attacker guesses the membership of any record with accuracy above 1/2 + eta.

=============================================================  ======================================================
How are records drawn from the pool?                           ``Game.COINS``, ``Game.HALVES``
What is eta of this mechanism?                                 ``eta(mechanism, game)``
What is eta, given (epsilon, delta) or mu?                     ``eta_of_epsilon(...)``, ``eta_of_mu(...)`` and back
What can the attacker then do?                                 ``inherited(full, game)``, ``trade_off(eta, alpha)``
How much noise for a given eta?                                ``calibration.noise_for`` with ``EtaTarget(eta, game)``
How much noise hides records of these very data?               ``one_swap``: a guarantee; ``halves``: exact
... of a median, a slope, several statistics at once?          ``table_statistics``; ``swap_audit``: drawn swaps
How much noise do the paper and differential privacy ask for?  ``noise_scale``
How is that noise drawn? What if the spread is estimated?      ``noise_scale``
What if k of n are drawn? What does every output allow?        ``shares``
What does eta not promise? Do two releases compose?            ``halves``
For which data does differential privacy need far more noise?  ``worst_case_data``
=============================================================  ======================================================
"""

from numerics.membership.advantage import (
    EtaTarget,
    Game,
    as_played,
    epsilon_for_eta,
    eta,
    eta_of_epsilon,
    eta_of_mu,
    inherited,
    mu_for_eta,
    trade_off,
)
