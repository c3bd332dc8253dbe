/**
 * A jq implementation for untrusted expressions. Each evaluation is limited in steps, memory and depth, counted by the
 * interpreter, so that the limits are deterministic. Expressions see only their input and variables: no clock, no
 * environment.
 *
 * <p>{@link dev.parley.workflows.jq.Jq} is the entry point. {@link dev.parley.workflows.jq.Parser} builds a tree of
 * {@link dev.parley.workflows.jq.JqFilter}s, {@link dev.parley.workflows.jq.JqInterpreter} evaluates it, and
 * {@link dev.parley.workflows.jq.Builtins} has the functions; derived functions are written in jq, in
 * {@code prelude.jq}.
 *
 * <p>Differences from jq 1.8: numbers are exact decimals of 34 digits ({@code 0.1 + 0.2} is {@code 0.3}); regular
 * expressions are RE2's, without look-around and back references; there are no modules, {@code input}, {@code $ENV} or
 * {@code debug}.
 */
@NullMarked
package dev.parley.workflows.jq;

import org.jspecify.annotations.NullMarked;
