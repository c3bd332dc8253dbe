/** A data folder, a Kafka broker and a Postgres server in one process, for installations on one machine. */
@NullMarked
package dev.parley.platform.embedded;

import org.jspecify.annotations.NullMarked;
