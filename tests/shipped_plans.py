"""The plans whose sweeps and paths are shipped, by the name of their files."""

from numerics.training import Plan, default_recipe, mu_plan

PLANS = {
    "digits": Plan(default_recipe("digits")),
    "breast_cancer": Plan(default_recipe("breast cancer")),
    "mnist": Plan(default_recipe("mnist")),
    "gmip": mu_plan(),
}
