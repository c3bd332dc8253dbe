/** Identity: keys and deterministic ids shared by all services. Pure Java. */
@NullMarked
package dev.parley.domain;

import org.jspecify.annotations.NullMarked;
