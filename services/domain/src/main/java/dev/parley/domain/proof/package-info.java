/** Delivery verification: reads the facts of each record and reports records that did not reach exactly one end. */
@NullMarked
package dev.parley.domain.proof;

import org.jspecify.annotations.NullMarked;
