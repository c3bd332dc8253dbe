package dev.parley.platform.http;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a route without authentication: public data, or requests that carry their own signature. A route that the
 * operator can close has a {@link #setting}, and one of the annotations of routes with authentication, which then
 * counts.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Public {
    /** The property that says whether the route is public; empty if it always is. */
    String setting() default "";
}
