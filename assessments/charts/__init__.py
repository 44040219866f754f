"""What a page of figures says: arithmetic over counted days, and the geometry of its drawings.

Pure: numbers in, numbers and the values of SVG attributes out.
"""
