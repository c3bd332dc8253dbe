/** Tools that are modules of WebAssembly. */
@NullMarked
package dev.parley.tools.wasm;

import org.jspecify.annotations.NullMarked;
