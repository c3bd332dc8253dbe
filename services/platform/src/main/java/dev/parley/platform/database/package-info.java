/**
 * Access to Postgres: each service owns a schema and its migrations, and a transaction sees the rows of one tenant.
 */
@NullMarked
package dev.parley.platform.database;

import org.jspecify.annotations.NullMarked;
