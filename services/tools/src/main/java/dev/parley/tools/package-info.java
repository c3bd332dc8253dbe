/**
 * Tool calls: the worker, what it asks of a tool, and the ledger of effects that must not happen twice.
 *
 * <p>A new tool is one class, an implementation of {@link dev.parley.tools.Tool}, given to
 * {@link dev.parley.tools.ToolRegistry}.
 */
@NullMarked
package dev.parley.tools;

import org.jspecify.annotations.NullMarked;
