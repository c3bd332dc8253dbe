package dev.parley.platform.health;

import java.util.Optional;

/** A dependency of an instance, such as Kafka or Postgres. Beans of this type make up {@code /health/ready}. */
public interface Readiness {
    /** Its name there, in lower case. */
    String name();

    /** Why it is not available, as a sentence without secrets; empty if it is. Returns within two seconds. */
    Optional<String> problem();
}
