/** What was done, by whom, and with what outcome. */
@NullMarked
package dev.parley.domain.audit;

import org.jspecify.annotations.NullMarked;
