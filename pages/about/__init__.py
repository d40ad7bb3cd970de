"""Parts of the page about the tool: notation, threat models, corrections, references, privacy, labels."""
