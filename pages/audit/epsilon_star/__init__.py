"""The parts of the page that measures a trained model."""
