"""NumPy's PCG64 streams inside compiled code: words, uniforms, normals."""
