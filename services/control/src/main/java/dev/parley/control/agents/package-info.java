/** Agents that are defined while everything runs: those of projects and those of hosts. */
@NullMarked
package dev.parley.control.agents;

import org.jspecify.annotations.NullMarked;
