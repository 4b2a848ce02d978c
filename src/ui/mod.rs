//! The model drawn as cells; the only place that knows colours and widgets.
