package dev.parley.platform.testkit;

import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import jakarta.inject.Singleton;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import javax.sql.DataSource;

/** Gives connections of {@link Plans} in the place of those of the pool, where a test has some. */
@Singleton
@Requires(beans = Plans.class)
final class ExplainedPool implements BeanCreatedEventListener<DataSource> {
    private final Plans plans;

    ExplainedPool(Plans plans) {
        this.plans = plans;
    }

    @Override
    public DataSource onCreated(BeanCreatedEvent<DataSource> event) {
        DataSource pool = event.getBean();
        InvocationHandler opening = (proxy, method, arguments) ->
                method.getName().equals("getConnection") ? plans.open() : method.invoke(pool, arguments);
        return (DataSource) Proxy.newProxyInstance(
                ExplainedPool.class.getClassLoader(), new Class<?>[] {DataSource.class}, opening);
    }
}
