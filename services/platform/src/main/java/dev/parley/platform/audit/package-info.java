/** Tells the audit log of what was done. */
@NullMarked
package dev.parley.platform.audit;

import org.jspecify.annotations.NullMarked;
