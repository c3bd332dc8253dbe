package dev.parley.platform.health;

import java.util.Optional;

/** A dependency of an instance, such as Kafka or Postgres. Beans of this type make up {@code /health/ready}. */
public interface Readiness {
    /** The name of the dependency in {@code /health/ready}, in lower case. */
    String name();

    /** The reason why the dependency is unavailable, without secrets; empty if it is available. Takes at most 2 s. */
    Optional<String> problem();
}
