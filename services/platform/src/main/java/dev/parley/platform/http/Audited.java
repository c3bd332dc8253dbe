package dev.parley.platform.http;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a route whose requests are written to the audit log, whether they succeed or not, with their
 * {@link AuditComment}. Routes of the control service are not marked: it writes its own entries.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Audited {
    /** Attribute of a response: the subject of the entry, if the path does not name it. */
    String SUBJECT = "dev.parley.audit.subject";

    /** Kind of the subject, such as {@code session}. */
    String source();

    /** The action, such as {@code share}. */
    String action();
}
