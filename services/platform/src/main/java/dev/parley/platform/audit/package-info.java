/** Sends entries to the audit log. */
@NullMarked
package dev.parley.platform.audit;

import org.jspecify.annotations.NullMarked;
