/** What services have in common in Postgres: each owns a schema and its migrations. */
@NullMarked
package dev.parley.platform.database;

import org.jspecify.annotations.NullMarked;
