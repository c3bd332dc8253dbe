/**
 * jq, the expression language of workflows, for expressions that strangers wrote: each evaluation has a budget of steps, of memory and of
 * depth, counted in the language itself, so that it ends the same way on every machine. There is no clock, no environment and no input but
 * what is given.
 *
 * <p>{@link dev.parley.workflows.jq.Jq} is the way in. {@link dev.parley.workflows.jq.Parser} makes a tree of
 * {@link dev.parley.workflows.jq.Filter}s, {@link dev.parley.workflows.jq.Interpreter} walks it, {@link dev.parley.workflows.jq.Builtins} has the
 * functions; those that jq's manual defines by others are written in jq, in {@code prelude.jq}.
 *
 * <p>Where it differs from jq 1.8: numbers are exact decimals of 34 digits ({@code 0.1 + 0.2} is {@code 0.3}); regular expressions are RE2's,
 * without look-around and back references; modules, {@code input}, {@code $ENV} and {@code debug} are left out.
 */
@NullMarked
package dev.parley.workflows.jq;

import org.jspecify.annotations.NullMarked;
