package dev.parley.platform.http;

import io.micronaut.security.authentication.AbstractPrincipalArgumentBinder;
import jakarta.inject.Singleton;

/** Binds the {@link Caller} parameter of controllers. */
@Singleton
final class CallerBinder extends AbstractPrincipalArgumentBinder<Caller> {
    CallerBinder() {
        super(Caller.class);
    }
}
