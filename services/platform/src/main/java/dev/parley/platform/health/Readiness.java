package dev.parley.platform.health;

import java.util.Optional;

/** A dependency of an instance, such as Kafka or Postgres. Beans of this type make up {@code /health/ready}. */
public interface Readiness {
    /** The name of the dependency there, in lower case. */
    String name();

    /** The reason for which it is unavailable, as a sentence without secrets; empty if it is available. Returns within two seconds. */
    Optional<String> problem();
}
