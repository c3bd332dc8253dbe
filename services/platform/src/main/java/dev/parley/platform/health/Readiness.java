package dev.parley.platform.health;

import java.util.Optional;

/** A dependency of an instance, such as Kafka or Postgres. Beans of this type make up {@code /health/ready}. */
public interface Readiness {
    /** What it is called there: lower case. */
    String name();

    /** Why it does not work now, as a sentence without secrets; empty while it does. Answers within two seconds. */
    Optional<String> problem();
}
