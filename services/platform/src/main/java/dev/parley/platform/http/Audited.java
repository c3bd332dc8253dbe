package dev.parley.platform.http;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Requests of this route come into the audit log, done or not. The routes of the control service say nothing: it writes down
 * what it does where it does it.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Audited {
    /** Attribute of a response: what it was done with, where the path does not name it. */
    String SUBJECT = "dev.parley.audit.subject";

    /** What kind of thing it is done with, such as {@code session}. */
    String source();

    /** What is done with it, such as {@code share}. */
    String action();
}
