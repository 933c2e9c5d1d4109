#include "CWebAssets.h"

// `#embed` is C23; clang has it in every mode and says so. A file that changes is noticed by the build: the compiler
// lists it among this file's dependencies. A new file gets two entries here; a test compares them with the folder.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char icon_svg[] = {
#embed "../../Web/icon.svg"
};
static const unsigned char index_html[] = {
#embed "../../Web/index.html"
};
static const unsigned char scripts_base_api_js[] = {
#embed "../../Web/scripts/base/api.js"
};
static const unsigned char scripts_base_dialogs_js[] = {
#embed "../../Web/scripts/base/dialogs.js"
};
static const unsigned char scripts_base_dom_js[] = {
#embed "../../Web/scripts/base/dom.js"
};
static const unsigned char scripts_base_download_js[] = {
#embed "../../Web/scripts/base/download.js"
};
static const unsigned char scripts_base_format_js[] = {
#embed "../../Web/scripts/base/format.js"
};
static const unsigned char scripts_base_icons_js[] = {
#embed "../../Web/scripts/base/icons.js"
};
static const unsigned char scripts_base_nav_js[] = {
#embed "../../Web/scripts/base/nav.js"
};
static const unsigned char scripts_base_route_js[] = {
#embed "../../Web/scripts/base/route.js"
};
static const unsigned char scripts_base_tail_js[] = {
#embed "../../Web/scripts/base/tail.js"
};
static const unsigned char scripts_detail_fields_js[] = {
#embed "../../Web/scripts/detail/fields.js"
};
static const unsigned char scripts_detail_json_js[] = {
#embed "../../Web/scripts/detail/json.js"
};
static const unsigned char scripts_detail_panel_js[] = {
#embed "../../Web/scripts/detail/panel.js"
};
static const unsigned char scripts_events_describe_js[] = {
#embed "../../Web/scripts/events/describe.js"
};
static const unsigned char scripts_events_store_js[] = {
#embed "../../Web/scripts/events/store.js"
};
static const unsigned char scripts_events_types_js[] = {
#embed "../../Web/scripts/events/types.js"
};
static const unsigned char scripts_exchange_address_js[] = {
#embed "../../Web/scripts/exchange/address.js"
};
static const unsigned char scripts_exchange_body_js[] = {
#embed "../../Web/scripts/exchange/body.js"
};
static const unsigned char scripts_exchange_exchange_js[] = {
#embed "../../Web/scripts/exchange/exchange.js"
};
static const unsigned char scripts_exchange_finder_js[] = {
#embed "../../Web/scripts/exchange/finder.js"
};
static const unsigned char scripts_exchange_frames_js[] = {
#embed "../../Web/scripts/exchange/frames.js"
};
static const unsigned char scripts_exchange_pretty_js[] = {
#embed "../../Web/scripts/exchange/pretty.js"
};
static const unsigned char scripts_exchange_timing_js[] = {
#embed "../../Web/scripts/exchange/timing.js"
};
static const unsigned char scripts_issues_issue_view_js[] = {
#embed "../../Web/scripts/issues/issue-view.js"
};
static const unsigned char scripts_issues_issues_view_js[] = {
#embed "../../Web/scripts/issues/issues-view.js"
};
static const unsigned char scripts_issues_kinds_js[] = {
#embed "../../Web/scripts/issues/kinds.js"
};
static const unsigned char scripts_issues_sparkline_js[] = {
#embed "../../Web/scripts/issues/sparkline.js"
};
static const unsigned char scripts_main_js[] = {
#embed "../../Web/scripts/main.js"
};
static const unsigned char scripts_network_endpoints_js[] = {
#embed "../../Web/scripts/network/endpoints.js"
};
static const unsigned char scripts_network_filters_js[] = {
#embed "../../Web/scripts/network/filters.js"
};
static const unsigned char scripts_network_network_view_js[] = {
#embed "../../Web/scripts/network/network-view.js"
};
static const unsigned char scripts_network_place_js[] = {
#embed "../../Web/scripts/network/place.js"
};
static const unsigned char scripts_network_rows_js[] = {
#embed "../../Web/scripts/network/rows.js"
};
static const unsigned char scripts_network_summary_js[] = {
#embed "../../Web/scripts/network/summary.js"
};
static const unsigned char scripts_report_before_js[] = {
#embed "../../Web/scripts/report/before.js"
};
static const unsigned char scripts_report_report_js[] = {
#embed "../../Web/scripts/report/report.js"
};
static const unsigned char scripts_report_stack_js[] = {
#embed "../../Web/scripts/report/stack.js"
};
static const unsigned char scripts_report_weights_js[] = {
#embed "../../Web/scripts/report/weights.js"
};
static const unsigned char scripts_sessions_first_steps_js[] = {
#embed "../../Web/scripts/sessions/first-steps.js"
};
static const unsigned char scripts_sessions_pane_js[] = {
#embed "../../Web/scripts/sessions/pane.js"
};
static const unsigned char scripts_timeline_ends_js[] = {
#embed "../../Web/scripts/timeline/ends.js"
};
static const unsigned char scripts_timeline_filters_js[] = {
#embed "../../Web/scripts/timeline/filters.js"
};
static const unsigned char scripts_timeline_folds_js[] = {
#embed "../../Web/scripts/timeline/folds.js"
};
static const unsigned char scripts_timeline_ledger_js[] = {
#embed "../../Web/scripts/timeline/ledger.js"
};
static const unsigned char scripts_timeline_overview_js[] = {
#embed "../../Web/scripts/timeline/overview.js"
};
static const unsigned char scripts_timeline_rows_js[] = {
#embed "../../Web/scripts/timeline/rows.js"
};
static const unsigned char scripts_timeline_session_header_js[] = {
#embed "../../Web/scripts/timeline/session-header.js"
};
static const unsigned char scripts_timeline_session_view_js[] = {
#embed "../../Web/scripts/timeline/session-view.js"
};
static const unsigned char scripts_timeline_virtual_list_js[] = {
#embed "../../Web/scripts/timeline/virtual-list.js"
};
static const unsigned char styles_base_css[] = {
#embed "../../Web/styles/base.css"
};
static const unsigned char styles_detail_css[] = {
#embed "../../Web/styles/detail.css"
};
static const unsigned char styles_exchange_css[] = {
#embed "../../Web/styles/exchange.css"
};
static const unsigned char styles_issues_css[] = {
#embed "../../Web/styles/issues.css"
};
static const unsigned char styles_network_css[] = {
#embed "../../Web/styles/network.css"
};
static const unsigned char styles_report_css[] = {
#embed "../../Web/styles/report.css"
};
static const unsigned char styles_responsive_css[] = {
#embed "../../Web/styles/responsive.css"
};
static const unsigned char styles_sessions_css[] = {
#embed "../../Web/styles/sessions.css"
};
static const unsigned char styles_timeline_css[] = {
#embed "../../Web/styles/timeline.css"
};

#define ASSET(path, bytes) {path, bytes, sizeof(bytes)}

static const struct am_web_asset assets[] = {
    ASSET("icon.svg", icon_svg),
    ASSET("index.html", index_html),
    ASSET("scripts/base/api.js", scripts_base_api_js),
    ASSET("scripts/base/dialogs.js", scripts_base_dialogs_js),
    ASSET("scripts/base/dom.js", scripts_base_dom_js),
    ASSET("scripts/base/download.js", scripts_base_download_js),
    ASSET("scripts/base/format.js", scripts_base_format_js),
    ASSET("scripts/base/icons.js", scripts_base_icons_js),
    ASSET("scripts/base/nav.js", scripts_base_nav_js),
    ASSET("scripts/base/route.js", scripts_base_route_js),
    ASSET("scripts/base/tail.js", scripts_base_tail_js),
    ASSET("scripts/detail/fields.js", scripts_detail_fields_js),
    ASSET("scripts/detail/json.js", scripts_detail_json_js),
    ASSET("scripts/detail/panel.js", scripts_detail_panel_js),
    ASSET("scripts/events/describe.js", scripts_events_describe_js),
    ASSET("scripts/events/store.js", scripts_events_store_js),
    ASSET("scripts/events/types.js", scripts_events_types_js),
    ASSET("scripts/exchange/address.js", scripts_exchange_address_js),
    ASSET("scripts/exchange/body.js", scripts_exchange_body_js),
    ASSET("scripts/exchange/exchange.js", scripts_exchange_exchange_js),
    ASSET("scripts/exchange/finder.js", scripts_exchange_finder_js),
    ASSET("scripts/exchange/frames.js", scripts_exchange_frames_js),
    ASSET("scripts/exchange/pretty.js", scripts_exchange_pretty_js),
    ASSET("scripts/exchange/timing.js", scripts_exchange_timing_js),
    ASSET("scripts/issues/issue-view.js", scripts_issues_issue_view_js),
    ASSET("scripts/issues/issues-view.js", scripts_issues_issues_view_js),
    ASSET("scripts/issues/kinds.js", scripts_issues_kinds_js),
    ASSET("scripts/issues/sparkline.js", scripts_issues_sparkline_js),
    ASSET("scripts/main.js", scripts_main_js),
    ASSET("scripts/network/endpoints.js", scripts_network_endpoints_js),
    ASSET("scripts/network/filters.js", scripts_network_filters_js),
    ASSET("scripts/network/network-view.js", scripts_network_network_view_js),
    ASSET("scripts/network/place.js", scripts_network_place_js),
    ASSET("scripts/network/rows.js", scripts_network_rows_js),
    ASSET("scripts/network/summary.js", scripts_network_summary_js),
    ASSET("scripts/report/before.js", scripts_report_before_js),
    ASSET("scripts/report/report.js", scripts_report_report_js),
    ASSET("scripts/report/stack.js", scripts_report_stack_js),
    ASSET("scripts/report/weights.js", scripts_report_weights_js),
    ASSET("scripts/sessions/first-steps.js", scripts_sessions_first_steps_js),
    ASSET("scripts/sessions/pane.js", scripts_sessions_pane_js),
    ASSET("scripts/timeline/ends.js", scripts_timeline_ends_js),
    ASSET("scripts/timeline/filters.js", scripts_timeline_filters_js),
    ASSET("scripts/timeline/folds.js", scripts_timeline_folds_js),
    ASSET("scripts/timeline/ledger.js", scripts_timeline_ledger_js),
    ASSET("scripts/timeline/overview.js", scripts_timeline_overview_js),
    ASSET("scripts/timeline/rows.js", scripts_timeline_rows_js),
    ASSET("scripts/timeline/session-header.js", scripts_timeline_session_header_js),
    ASSET("scripts/timeline/session-view.js", scripts_timeline_session_view_js),
    ASSET("scripts/timeline/virtual-list.js", scripts_timeline_virtual_list_js),
    ASSET("styles/base.css", styles_base_css),
    ASSET("styles/detail.css", styles_detail_css),
    ASSET("styles/exchange.css", styles_exchange_css),
    ASSET("styles/issues.css", styles_issues_css),
    ASSET("styles/network.css", styles_network_css),
    ASSET("styles/report.css", styles_report_css),
    ASSET("styles/responsive.css", styles_responsive_css),
    ASSET("styles/sessions.css", styles_sessions_css),
    ASSET("styles/timeline.css", styles_timeline_css),
};

const struct am_web_asset *const am_web_assets = assets;
const size_t am_web_asset_count = sizeof(assets) / sizeof(assets[0]);
