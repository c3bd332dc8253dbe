/** Audit records: what was done, by whom, with what result. */
@NullMarked
package dev.parley.domain.audit;

import org.jspecify.annotations.NullMarked;
