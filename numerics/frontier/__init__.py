"""What protection costs: the error of a released statistic against what an attacker can do, in closed form.

====================================================  ==================================================
Which number is released, and how far can one move?   ``Mean``, ``Count``, ``Histogram``, ``RegressionCoefficient``
How is attack success stated?                         ``PowerMeasure``, ``AdvantageMeasure``
What may the attacker know?                           ``Notion``
How much noise, and error, does a goal take?          ``frontier(statistic, measure, notion, adjacency, goals)``
What does an accepted error give away?                ``success(statistic, measure, notion, adjacency, error)``
How many people make protection cheap?                ``people_needed(statistic, measure, notion, adjacency, goal)``
What of whole counts, blurred answers and a choice?   ``WholeHistogram``, ``Survey``, ``Choice``: ``.kept(target)``
====================================================  ==================================================
"""

from numerics.frontier.counts import Count, Histogram
from numerics.frontier.measures import AdvantageMeasure, Measure, PowerMeasure
from numerics.frontier.notions import Frontier, NoAnswerError, Notion, frontier, people_needed, success
from numerics.frontier.releases import Choice, Release, Survey, WholeHistogram
from numerics.frontier.statistics import Mean, RegressionCoefficient, Statistic, StatisticNoise
