/** What one process needs to be a whole Parley: a data folder, a Kafka broker and a Postgres, all on this machine. */
@NullMarked
package dev.parley.platform.embedded;

import org.jspecify.annotations.NullMarked;
