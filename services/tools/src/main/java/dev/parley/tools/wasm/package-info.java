/** Tools that are WebAssembly modules. */
@NullMarked
package dev.parley.tools.wasm;

import org.jspecify.annotations.NullMarked;
