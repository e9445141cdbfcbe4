CREATE TABLE "phone_consults" (
	"consultation_id" integer PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"recorded_by" integer NOT NULL,
	"urgency" text NOT NULL,
	"decision" text NOT NULL,
	"contacts" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"recorded_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "phone_consults_key" UNIQUE("recorded_by","key")
);
--> statement-breakpoint
CREATE TABLE "phone_drafts" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"fields" jsonb NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"saved_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "phone_consults" ADD CONSTRAINT "phone_consults_consultation_id_consultations_id_fk" FOREIGN KEY ("consultation_id") REFERENCES "public"."consultations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "phone_consults" ADD CONSTRAINT "phone_consults_recorded_by_users_id_fk" FOREIGN KEY ("recorded_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "phone_drafts" ADD CONSTRAINT "phone_drafts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;