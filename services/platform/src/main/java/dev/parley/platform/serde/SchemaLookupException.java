package dev.parley.platform.serde;

import org.apache.kafka.common.errors.RetriableException;

/**
 * The schema of a record cannot be looked up now: the registry does not answer. The record may be valid, so it must be
 * read again later, and never skipped or sent to the dead-letter topic.
 */
public final class SchemaLookupException extends RetriableException {
    SchemaLookupException(String message, Throwable cause) {
        super(message, cause);
    }
}
