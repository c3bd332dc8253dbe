package dev.parley.platform.http;

import dev.parley.domain.access.Capability;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What a caller must be allowed to do to have a request answered: in the project that the path names as {@code project}, in the
 * default one where it names none, or in the host. A route says this, {@link Authenticated} or {@link Public}; one that says nothing
 * is for administrators.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface RequiresCapability {
    Capability value();
}
