"""A verdict, the people it counts and the evidence behind it, which move together while a slider is dragged.

Three parts that a page places as it likes; they show one ``Scene`` and find each other by its name. All numbers come
with the scene, or after it as its ``Levels``: nothing is computed in the browser but pixels, and Python is asked when
the slider is let go. Beside them a part that is heard only, for pages whose answer is Streamlit's own text:
``draw_said``; and ``draw_knob``, by which any slider of a page moves the page's own sentences and figures.
"""

from people_view.knob import State, draw_knob
from people_view.mounting import draw_answer, draw_hills, draw_levels, draw_people, draw_said
from people_view.scene import HEIGHT, PLACES, Hill, Hills, Level, Levels, Scene, Words

__all__ = [
    "HEIGHT",
    "PLACES",
    "Hill",
    "Hills",
    "Level",
    "Levels",
    "Scene",
    "State",
    "Words",
    "draw_answer",
    "draw_hills",
    "draw_knob",
    "draw_levels",
    "draw_people",
    "draw_said",
]
