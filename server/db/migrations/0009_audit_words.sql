UPDATE "audit_log" SET "action" = 'handed over' WHERE "action" = 'passed on';--> statement-breakpoint
UPDATE "audit_log" SET "action" = 'handed back' WHERE "action" = 'back to the line';
