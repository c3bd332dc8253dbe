/** Kinds of tools that operators define while everything runs: each carries out what a definition says. */
@NullMarked
package dev.parley.tools.kind;

import org.jspecify.annotations.NullMarked;
