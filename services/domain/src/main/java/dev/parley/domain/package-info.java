/** Identity: the keys and deterministic ids that every service shares. Pure Java. */
@NullMarked
package dev.parley.domain;

import org.jspecify.annotations.NullMarked;
