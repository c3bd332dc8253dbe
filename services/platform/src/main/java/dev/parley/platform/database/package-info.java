/** What services have in common in Postgres: each owns a schema and its migrations, and sees the rows of one tenant at a time. */
@NullMarked
package dev.parley.platform.database;

import org.jspecify.annotations.NullMarked;
