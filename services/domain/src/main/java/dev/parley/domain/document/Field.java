package dev.parley.domain.document;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The field that documents have for a component, and its valid values. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Field {
    /** Its name, by default that of the component. Components of one name are parts of one text, with a slash between. */
    String name() default "";

    /** Whether a document must have it. */
    boolean required() default false;

    /**
     * Its value where a document has none, as in a document. By default that of the record's constant {@code DEFAULT},
     * or else null, empty, false or 0.
     */
    String fallback() default "";

    /** How it is written. */
    Form form() default Form.PLAIN;

    /** Minimum of a number. */
    long min() default Long.MIN_VALUE;

    /** Maximum of a number; of a duration in seconds. */
    long max() default Long.MAX_VALUE;

    /** Maximum characters of a text, or of each text in a list or map. */
    int length() default Integer.MAX_VALUE;

    /** Maximum entries of a list or map. */
    int entries() default Integer.MAX_VALUE;

    /** Regular expression that a text, or each text of a list and each key of a map, matches. */
    String pattern() default "";

    /** An enum of which a text has the code of a constant. */
    Class<?> codes() default void.class;

    /** The field by which the records of a list differ. */
    String key() default "";

    /** The problem of an invalid value; by default the bounds. */
    String problem() default "";
}
