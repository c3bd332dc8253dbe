package dev.parley.platform.database;

import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.CrudRepository;

/** Notes of hosts, which the policy of their table keeps apart. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface Notes extends CrudRepository<Note, String> {}
