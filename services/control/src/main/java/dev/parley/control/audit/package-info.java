/** The audit log: actions, their actors and outcomes. */
@NullMarked
package dev.parley.control.audit;

import org.jspecify.annotations.NullMarked;
