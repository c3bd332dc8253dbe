/** The transactional outbox: triggers record changed rows, one publisher sends them to topics. */
@NullMarked
package dev.parley.control.outbox;

import org.jspecify.annotations.NullMarked;
