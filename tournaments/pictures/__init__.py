"""Pictures of boards for other sites: previews as PNG, games as animated GIF.

Pure, and expensive: only workers draw. resvg draws SVG, Pillow measures text and writes frames.
"""

# The size of a preview in pixels, which messengers ask for.
PREVIEW_WIDTH, PREVIEW_HEIGHT = 1200, 630
