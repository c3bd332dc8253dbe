/** The audit log: what was done, by whom, and with what outcome. */
@NullMarked
package dev.parley.control.audit;

import org.jspecify.annotations.NullMarked;
