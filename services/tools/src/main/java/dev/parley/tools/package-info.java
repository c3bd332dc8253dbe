/**
 * The tools service: the worker of tool calls, and the ledger of effects that must not happen twice.
 *
 * <p>A new tool is one class, an implementation of {@link dev.parley.tools.Tool}, registered in
 * {@link dev.parley.tools.ToolRegistry}.
 */
@NullMarked
package dev.parley.tools;

import org.jspecify.annotations.NullMarked;
