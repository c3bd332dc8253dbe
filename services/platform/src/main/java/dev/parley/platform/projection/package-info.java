/** Exactly-once projections of topics into Postgres tables; they survive the crash of an instance. */
@NullMarked
package dev.parley.platform.projection;

import org.jspecify.annotations.NullMarked;
