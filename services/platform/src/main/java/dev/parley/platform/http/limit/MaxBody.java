package dev.parley.platform.http.limit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The size of the body that a route takes. Without it, public routes take {@link BodySize#SMALL} and others {@link
 * BodySize#USUAL}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface MaxBody {
    BodySize value();
}
