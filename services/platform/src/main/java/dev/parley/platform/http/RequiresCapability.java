package dev.parley.platform.http;

import dev.parley.domain.access.Capability;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The capability that a route requires: in the project of the path variable {@code project}, in the default project
 * without one, or in the host. Routes have this annotation, {@link Authenticated} or {@link Public}; others are for
 * administrators.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface RequiresCapability {
    Capability value();

    /**
     * The capability that is required in the host on a path without {@code project}; if there is none, {@link #value} is
     * required there.
     */
    Capability[] inHost() default {};
}
