/** Erasure: records and checks that every service shares. */
@NullMarked
package dev.parley.domain.erasure;

import org.jspecify.annotations.NullMarked;
